"""Discounts."""

from shop.models import Order


def discount(order: Order, percent: int = 10) -> int:
    """What is left of the price after a discount."""
    return order.price() * (100 - percent) // 100


def checkout(order: Order) -> str:
    total = discount(order, percent=20)
    return f"total: {total}"
