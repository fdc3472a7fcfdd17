// Makes a copy of this example for agents to work in, and starts the shop that its tools call.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { basename, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startShop } from './start-shop.mjs'

const EXAMPLE = fileURLToPath(new URL('.', import.meta.url))
const COPIED = ['toolcrib.yaml', 'stock-server.mjs', 'shop-api.json', 'tools', 'agents', 'workspace']
const NAMING_THE_SHOP = ['toolcrib.yaml', 'tools/shipping-quote.tool.md', 'tools/ask-the-owner.tool.md']
/** Says which version of the example a folder was copied from. */
const MARK = '.copied'
const SHOP_PORT = 4750

export const toolcrib = fileURLToPath(new URL('../../bin/toolcrib.js', import.meta.url))

/**
 * Opens the crib in `folder`. The example names port 4750 for the shop. If that one is taken, the shop gets the next one, and
 * the copy is another folder: its tools go to another address, and its records are its own.
 */
export async function openCrib({ folder, env = process.env }) {
  const shop = await startOnFreePort(SHOP_PORT)
  const own = shop.port === SHOP_PORT ? folder : `${folder}-${shop.port}`
  try {
    const version = versionOf(shop.port)
    if (!isCopyOf(own, version)) {
      copyExample(own, shop.port)
      trust(own, env)
      writeFileSync(join(own, MARK), version)
    }
  } catch (error) {
    await shop.close()
    throw error
  }
  return { folder: own, shop }
}

async function startOnFreePort(first) {
  for (let port = first; port < first + 100; port++) {
    try {
      return await startShop({ port })
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error(`No port from ${first} to ${first + 99} is free for the shop.`)
}

/** A folder is written once, and then belongs to whoever works in it, as long as the example stays the same. */
function isCopyOf(folder, version) {
  const mark = join(folder, MARK)
  return existsSync(mark) && readFileSync(mark, 'utf8') === version
}

function copyExample(folder, port) {
  if (existsSync(folder)) moveAway(folder)
  mkdirSync(folder, { recursive: true })
  for (const name of COPIED) cpSync(join(EXAMPLE, name), join(folder, name), { recursive: true })
  for (const path of NAMING_THE_SHOP) {
    const text = readFileSync(join(EXAMPLE, path), 'utf8')
    writeFileSync(join(folder, path), text.replaceAll(`127.0.0.1:${SHOP_PORT}`, `127.0.0.1:${port}`))
  }
}

/** The records of an old copy are about other tools than those of now. */
function moveAway(folder) {
  if (!existsSync(join(folder, 'stock-server.mjs')))
    throw new Error(
      `${folder} is no copy of the quickstart; move it away, or name another one with --folder.`,
    )
  const old = `${folder}.old`
  rmSync(old, { recursive: true, force: true })
  renameSync(folder, old)
  console.error(`The example has changed. Your copy of the old one is in ${basename(old)}.`)
}

function versionOf(port) {
  const hash = createHash('sha256').update(String(port))
  for (const path of readdirSync(EXAMPLE, { recursive: true, encoding: 'utf8' }).sort()) {
    const isCopied = COPIED.includes(path.split(sep)[0]) && statSync(join(EXAMPLE, path)).isFile()
    if (isCopied) hash.update(path).update(readFileSync(join(EXAMPLE, path)))
  }
  return hash.digest('hex')
}

/** What was just copied is the example's own. Later changes of the copy are for a person to trust. */
function trust(folder, env) {
  const { status, stderr } = spawnSync(process.execPath, [toolcrib, 'trust', '--yes'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  if (status !== 0)
    throw new Error(`${basename(folder)}/toolcrib.yaml could not be trusted: ${stderr.trim()}`)
}
