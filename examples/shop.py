"""A shop, to try locations on."""


class Item:
    def __init__(self, name, price):
        self.name = name
        self.price = price


class Cart:
    """What somebody wants to buy."""

    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)
        return self

    def total(self):
        total = 0
        for item in self.items:
            total += item.price
        return total


class Order:
    def __init__(self, cart):
        self.cart = cart

    def total(self, discount=0):
        return self.cart.total() - discount
