#include "shop.h"

int broken() {
  int count = "three";
  return coun;
}
