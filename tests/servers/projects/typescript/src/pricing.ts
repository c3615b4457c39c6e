import { Order } from "./models";

/** What is left of the price after a discount. */
export function discount(order: Order, percent: number = 10): number {
  return (order.price() * (100 - percent)) / 100;
}

export function checkout(order: Order): string {
  const total = discount(order, 20);
  return `total: ${total}`;
}
