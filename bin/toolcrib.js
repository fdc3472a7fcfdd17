#!/usr/bin/env node
const main = new URL('../lib/main.js', import.meta.url)
try {
  await import(main)
} catch (error) {
  const { existsSync } = await import('node:fs')
  if (existsSync(main)) throw error
  console.error('Run npm run build first.')
  process.exitCode = 2
}
