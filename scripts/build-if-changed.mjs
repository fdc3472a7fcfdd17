// node scripts/build-if-changed.mjs: builds, unless nothing has changed since the last build. "npm ci" and "npm test" both need a
// build; one is enough.
//   --done   writes down what has just been built
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** In the folder of the bundle, so that it goes when the bundle goes. */
const MARK = join(ROOT, 'lib', '.built-from')
const FOLDERS = ['src', 'console', 'scripts']
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']

const digest = digestOfSources()
if (process.argv.includes('--done')) writeFileSync(MARK, digest)
else if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== digest) process.exitCode = build()

function build() {
  if (!existsSync(join(ROOT, 'node_modules/typescript'))) {
    console.error('Nothing is built: the development packages are not installed.')
    return 0
  }
  const isWindows = process.platform === 'win32'
  return (
    spawnSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit', shell: isWindows })
      .status ?? 1
  )
}

function digestOfSources() {
  const hash = createHash('sha256')
  const inFolders = FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap(filesIn)
  for (const path of [...FILES, ...inFolders]) hash.update(path).update(readFileSync(join(ROOT, path)))
  return hash.digest('hex')
}

function filesIn(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return filesIn(path)
      return entry.isFile() ? [path] : []
    })
    .sort()
}
