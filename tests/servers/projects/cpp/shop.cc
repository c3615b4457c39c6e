#include "shop.h"

Item::Item(int cents) : cents_(cents) {}

int Item::price() const { return cents_; }

int discount(const Priced &what, int percent) {
  return what.price() * (100 - percent) / 100;
}
