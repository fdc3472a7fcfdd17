import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Source files that a page names and that are not there. A page in a folder names files from there, or from `src`. */
export function missingFiles(src, pages) {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' })
  const isThere = (folder, name) =>
    [join(folder, name), join(src, name), join(src, '..', name)].some(existsSync) ||
    names.some((each) => each.endsWith(`/${name}`) || (!name.includes('/') && basename(each) === name))
  return pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/`([a-z][a-z0-9/-]*\.ts)`/g)].flatMap(([, name]) =>
      isThere(dirname(page), name) ? [] : [{ page, name }],
    ),
  )
}
