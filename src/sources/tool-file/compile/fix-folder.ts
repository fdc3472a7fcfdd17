import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../../platform/files/replace-file.js'
import type { CompiledFolder, FileFix, FileProblem } from '../compiled.js'
import { decode } from '../read/decode.js'
import { parseFrontMatter } from '../read/parse-front-matter.js'
import type { Yaml } from '../../../platform/config/yaml-error-start.js'
import { compileFolder, type CompileOptions } from './compile-folder.js'

/** A fix that was written. */
export interface AppliedFix extends Pick<FileProblem, 'code' | 'file' | 'line'> {
  readonly title: string
}

type FixableProblem = FileProblem & { readonly fix: FileFix }

/** A mended file may have problems that were hidden before; more rounds than this would mend in circles. */
const MAX_ROUNDS = 10

/**
 * Mends what the compiler can mend without a decision, and compiles again until nothing is left to mend. A fix after which a
 * file could no longer be read is not written.
 */
export async function fixFolder(
  folder: string,
  options: CompileOptions = {},
): Promise<{ compiled: CompiledFolder; fixes: AppliedFix[] }> {
  const yaml = await import('yaml')
  const fixes: AppliedFix[] = []
  const seen = new Set<string>()
  let compiled = await compileFolder(folder, options)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const written: AppliedFix[] = []
    for (const [file, problems] of fixableByFile(compiled.problems)) {
      const path = join(folder, file)
      const { text } = decode({ file, bytes: await readFile(path) }).source
      const fixed = mendText({ file, text, problems }, yaml)
      // A text that was there before means that fixes undo each other.
      if (!fixed || seen.has(`${file}\n${fixed.text}`)) continue
      seen.add(`${file}\n${text}`)
      replaceFile(path, fixed.text)
      written.push(...fixed.applied.map(({ code, line, fix: { title } }) => ({ code, file, line, title })))
    }
    if (written.length === 0) break
    fixes.push(...written)
    compiled = await compileFolder(folder, options)
  }
  return { compiled, fixes }
}

function fixableByFile(problems: readonly FileProblem[]): Map<string, FixableProblem[]> {
  const byFile = new Map<string, FixableProblem[]>()
  for (const problem of problems) {
    if (!isFixable(problem)) continue
    const found = byFile.get(problem.file)
    if (found) found.push(problem)
    else byFile.set(problem.file, [problem])
  }
  return byFile
}

function isFixable(problem: FileProblem): problem is FixableProblem {
  return problem.fix !== undefined
}

interface Mended {
  readonly text: string
  readonly applied: readonly FixableProblem[]
}

/** All fixes that do not overlap; or where they break the file together, the first that does not. */
function mendText(
  { file, text, problems }: { file: string; text: string; problems: readonly FixableProblem[] },
  yaml: Yaml,
): Mended | undefined {
  const wasReadable = isReadable(file, text, yaml)
  const keeps = (mended: Mended): boolean => !wasReadable || isReadable(file, mended.text, yaml)
  const together = applyFixes(text, problems)
  if (together.text !== text && keeps(together)) return together
  return problems
    .map((problem) => applyFixes(text, [problem]))
    .find((alone) => alone.text !== text && keeps(alone))
}

/** Applies fixes from the end of the text, so that positions stay right. Of two that overlap, the first is applied. */
export function applyFixes(text: string, problems: readonly FixableProblem[]): Mended {
  const applied: FixableProblem[] = []
  let end = -1
  for (const problem of problems.toSorted((left, right) => left.fix.start - right.fix.start)) {
    // Two insertions at one position would depend on their order.
    if (problem.fix.start <= end && applied.length > 0) continue
    applied.push(problem)
    end = problem.fix.end
  }
  const mended = applied.reduceRight(
    (rest, { fix }) => rest.slice(0, fix.start) + fix.text + rest.slice(fix.end),
    text,
  )
  return { text: mended, applied }
}

function isReadable(file: string, text: string, yaml: Yaml): boolean {
  const report = decode({ file, bytes: Buffer.from(text) })
  if (!file.endsWith('.md')) return !report.hasErrors()
  return parseFrontMatter(report, yaml) !== undefined && !report.hasErrors()
}
