import { Item } from "./models";

const count: number = "three";
export const price = new Item("tea", count).prize();
