#!/usr/bin/env bash
source ./lib.sh

checkout() {
  echo "🫖 $(discount "$1" 20)"
}

checkout 250
discount 250 10
