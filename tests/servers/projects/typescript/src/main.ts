import { Item, Order } from "./models";
import { checkout, discount } from "./pricing";

const order = new Order([new Item("tea", 250)]);
console.log("🫖 tea", checkout(order), discount(order));
