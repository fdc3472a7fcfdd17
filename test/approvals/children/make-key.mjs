// Prints the key that it finds or creates, after a line on stdin.
import { createHash } from 'node:crypto'
import { loadKeyFile } from '../../../dist/platform/sealing/user-keys.js'

process.stdin.once('data', () => {
  const key = loadKeyFile(process.argv[2])
  console.log(createHash('sha256').update(key).digest('hex'))
  process.stdin.destroy()
})
console.log('ready')
