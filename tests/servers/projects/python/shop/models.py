"""What is sold, and to whom."""

from abc import ABC, abstractmethod


class Priced(ABC):
    """Anything with a price."""

    @abstractmethod
    def price(self) -> int:
        """The price in cents."""


class Item(Priced):
    """A thing on the shelf."""

    def __init__(self, name: str, cents: int) -> None:
        self.name = name
        self.cents = cents

    def price(self) -> int:
        return self.cents


class Order(Priced):
    """Items that are bought together."""

    def __init__(self, items: list[Item]) -> None:
        self.items = items

    def price(self) -> int:
        return sum(item.price() for item in self.items)
