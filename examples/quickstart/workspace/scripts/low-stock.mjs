// node workspace/scripts/low-stock.mjs: prints the products that have to be ordered again.
import { readFileSync } from 'node:fs'

const [, ...lines] = readFileSync(new URL('../products.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
for (const line of lines) {
  const [sku, name, , stock, reorderAt] = line.split(',')
  if (Number(stock) < Number(reorderAt)) console.log(`${sku}  ${name}: ${stock} left, order at ${reorderAt}`)
}
