// Writes generated files, or with `check` only reports which of them differ.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * `files` maps a path below `root` to its text; `undefined` means that the file must not exist. Returns the paths that
 * differed. Equal files are not written, so that their times stay.
 */
export function writeGenerated(root, files, { check = false } = {}) {
  const differing = []
  for (const [path, text] of Object.entries(files)) {
    const place = join(root, path)
    if (readIfThere(place) === text) continue
    differing.push(path)
    if (check) continue
    if (text === undefined) {
      rmSync(place)
    } else {
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, text)
    }
  }
  return differing
}

/** Reports the result; in check mode a difference makes the process fail. */
export function reportGenerated(differing, { check, remedy }) {
  for (const path of differing) console.log(`${check ? 'differs' : 'updated'}: ${path}`)
  if (check && differing.length > 0) {
    console.error(`These files no longer agree with the code. Run: ${remedy}`)
    process.exitCode = 1
  }
}

function readIfThere(place) {
  try {
    return readFileSync(place, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
