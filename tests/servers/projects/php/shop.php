<?php

/** A thing on the shelf. */
class Item
{
    public function __construct(public int $cents)
    {
    }

    public function price(): int
    {
        return $this->cents;
    }
}

function discount(Item $item, int $percent): int
{
    return intdiv($item->price() * (100 - $percent), 100);
}
