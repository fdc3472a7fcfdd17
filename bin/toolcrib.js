#!/usr/bin/env node
import { existsSync } from 'node:fs'

const main = new URL('../lib/main.js', import.meta.url)
if (existsSync(main)) {
  await import(main)
} else {
  console.error('Run npm run build first.')
  process.exitCode = 2
}
