#!/usr/bin/env bash

# What is left of a price after a discount.
discount() {
  local price="$1" percent="$2"
  echo $((price * (100 - percent) / 100))
}
