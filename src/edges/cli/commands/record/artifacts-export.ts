import { fileURLToPath } from 'node:url'
import type { ToolcribArtifact } from '../../../../contract/objects/toolcrib-artifact.js'
import { isArtifactError } from '../../../../crib/artifacts/artifact-error.js'
import { userName } from '../../../../platform/processes/user-name.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { findArtifact } from '../../record/find-artifact.js'
import { openRecord } from '../../record/open-record.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { sizeText } from '../../terminal/size-text.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const version = readVersion(options)
  const record = await openRecord(options)
  if ('missing' in record)
    throw usageProblem(`There is no artifact "${given}": nothing was recorded yet in ${record.missing}.`)
  const { crib, tenant } = record
  try {
    const artifact = await findArtifact(crib, tenant, given)
    const exported = await crib.exportArtifact(artifact.artifact_id, {
      to: (options['to'] as string | undefined) ?? fileNameOf(artifact),
      overwrite: options['force'] === true,
      by: userName(),
      tenant,
      ...(version !== undefined && { version }),
    })
    if (options.json) terminal.printJson(exported)
    else {
      const size = sizeText(artifact.versions[exported.version - 1]!.size_bytes)
      terminal.print(`${oneLine(fileURLToPath(exported.uri))}  version ${exported.version}, ${size}`)
    }
    return 0
  } catch (error) {
    throw isArtifactError(error) ? usageProblem(withFlags(error.message)) : error
  } finally {
    await crib.close()
  }
}

function readVersion({ number: version }: GivenOptions): number | undefined {
  if (version === undefined) return undefined
  const number = Number(version)
  if (Number.isInteger(number) && number > 0) return number
  throw usageProblem(`--number must be the number of a version, from 1, not "${String(version)}".`)
}

/** The tool chose the name: it must not leave this folder, or be a hidden file. */
function fileNameOf({ name }: ToolcribArtifact): string {
  const file = name.split(/[\\/]/).at(-1)!.trim()
  // eslint-disable-next-line no-control-regex
  if (file !== '' && !file.startsWith('.') && !/[\u0000-\u001f]/.test(file)) return file
  throw usageProblem(`"${oneLine(name)}" cannot be the name of a file; give one with --to.`)
}

function withFlags(message: string): string {
  return message.replace(
    'choose another name, or say that it may be overwritten',
    'give another name with --to, or --force',
  )
}
