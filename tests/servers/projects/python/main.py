from shop.models import Item, Order
from shop.pricing import checkout, discount

order = Order([Item("tea", 250)])
print("🫖 tea", checkout(order), discount(order))
