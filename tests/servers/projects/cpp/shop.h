#pragma once

/// Anything with a price.
class Priced {
public:
  virtual ~Priced() = default;
  /// The price in cents.
  virtual int price() const = 0;
};

class Item : public Priced {
public:
  explicit Item(int cents);
  int price() const override;

private:
  int cents_;
};

/// What is left of a price after a discount.
int discount(const Priced &what, int percent);
