#include "shop.h"

int checkout(const Item &item) {
  const char *cup = "🍵"; return discount(item, 20) + (cup != nullptr);
}

int main() {
  Item tea(250);
  return checkout(tea) + discount(tea, 10);
}
