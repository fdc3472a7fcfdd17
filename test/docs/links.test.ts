import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../edges/cli/run-cli.js'

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Without the contents of code, in which brackets mean something else. */
function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''))
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#{1,6} (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}

describe('links between pages', () => {
  it.each(pages)('those of %s lead to files and headings that exist', (page) => {
    const links = [...textOf(page).matchAll(/(?:\]\(|\bsrc(?:set)?=")([^)\s"]+)[)"]/g)].map(
      ([, link]) => link!,
    )
    const broken = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : normalize(join(dirname(page), path))
      if (!existsSync(join(root, target))) return true
      if (anchor === undefined) return false
      return !statSync(join(root, target)).isFile() || !anchorsOf(target).includes(anchor)
    })
    expect(broken).toEqual([])
  })
})
