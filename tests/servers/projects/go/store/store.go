// Package store is a small shop.
package store

// Priced is anything with a price.
type Priced interface {
	// Price is in cents.
	Price() int
}

// Item is a thing on the shelf.
type Item struct {
	Name  string
	Cents int
}

// Price is in cents.
func (item Item) Price() int { return item.Cents }

// Discount is what is left of a price.
func Discount(what Priced, percent int) int {
	return what.Price() * (100 - percent) / 100
}
