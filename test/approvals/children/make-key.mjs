// Prints the key that it finds or makes, as soon as it is told to.
import { createHash } from 'node:crypto'
import { loadKeyFile } from '../../../dist/approvals/load-seal-key.js'

process.stdin.once('data', () => {
  const key = loadKeyFile(process.argv[2])
  console.log(createHash('sha256').update(key).digest('hex'))
  process.stdin.destroy()
})
console.log('ready')
