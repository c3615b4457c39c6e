function! s:Discount(price, percent) abort
  return a:price * (100 - a:percent) / 100
endfunction

echo s:Discount(250, 20)
