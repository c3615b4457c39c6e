package store

func broken() int {
	count := 1
	return "three"
}
