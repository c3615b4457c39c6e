package main

import "example.com/shop/store"

func checkout(item store.Item) int {
	return store.Discount(item, 20)
}

func main() {
	tea := store.Item{Name: "🍵", Cents: 250}
	println(checkout(tea), store.Discount(tea, 10))
}
