import { ownVersion } from '../../../platform/files/own-package.js'
import { rules } from '../../../sources/tool-file/compile/rules.js'
import type { FileFix } from '../../../sources/tool-file/compiled.js'
import { createSourceText, type SourceText } from '../../../sources/tool-file/read/source-text.js'
import { createTextReader, uriFrom, type FolderProblem } from './folder-problems.js'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'
const codes = Object.keys(rules)

/** The problems as a log of SARIF 2.1.0, which code scanning services and editors read. Paths start at `from`. */
export function toSarif(problems: readonly FolderProblem[], from: string): object {
  const read = createTextReader()
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'toolcrib',
            version: ownVersion(),
            rules: Object.entries(rules).map(([id, { level, title, advice }]) => ({
              id,
              shortDescription: { text: title },
              help: { text: advice },
              defaultConfiguration: { level },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: problems.map((problem) =>
          resultOf(problem, { uri: uriFrom(from, problem), text: read(problem) }),
        ),
      },
    ],
  }
}

function resultOf(problem: FolderProblem, { uri, text }: { uri: string; text: string | undefined }): object {
  const { code, level, message, line, column, endLine, endColumn, fix } = problem
  const artifactLocation = { uri }
  const region = { startLine: line, startColumn: column, endLine, endColumn }
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation, region } }],
    ...(fix &&
      text !== undefined && {
        fixes: [
          {
            description: { text: fix.title },
            artifactChanges: [
              { artifactLocation, replacements: [replacementOf(fix, createSourceText(problem.file, text))] },
            ],
          },
        ],
      }),
  }
}

function replacementOf(fix: FileFix, source: SourceText): object {
  const { line, column, endLine, endColumn } = source.locate(fix)
  return {
    deletedRegion: { startLine: line, startColumn: column, endLine, endColumn },
    insertedContent: { text: fix.text },
  }
}
