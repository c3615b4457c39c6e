/** Anything with a price. */
export interface Priced {
  /** The price in cents. */
  price(): number;
}

/** A thing on the shelf. */
export class Item implements Priced {
  constructor(readonly name: string, readonly cents: number) {}

  price(): number {
    return this.cents;
  }
}

export class Order implements Priced {
  constructor(readonly items: Item[]) {}

  price(): number {
    return this.items.reduce((sum, item) => sum + item.price(), 0);
  }
}
