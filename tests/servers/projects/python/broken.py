import os

from shop.models import Item

item: int = Item("tea", 250)
print(undefined_name)
