import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createPlace, type Place } from '../run-cli.js'

/** A place without a config, with tool files. */
export function toolPlace(
  files: Readonly<Record<string, string>> = {},
): Place & { put(file: string, text: string): void } {
  const place = createPlace('')
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(join(place.folder, file)), { recursive: true })
    writeFileSync(join(place.folder, file), text)
  }
  for (const [file, text] of Object.entries(files)) put(file, text)
  return { ...place, put }
}

/** A tool file without problems. */
export const LOOK = `---
spec_version: "1.2"
tool_id: "look-up"
version: "1.0.0"
status: "active"
meta:
  name: "Look up"
  description: "Looks something up."
  owner: "team"
type: "retrieval"
interface:
  input:
    type: object
    properties:
      query: { type: string }
    required: [query]
  output:
    type: object
transport:
  type: "rest-api"
  base_url: "https://kb.example.com"
  endpoint: "GET /search"
  credentials: { scheme: "none" }
use_guidance:
  use_when: ["a question is asked"]
  avoid_when: ["nothing is asked"]
  side_effects: "None"
---
`

export const HELPER = `---
spec_version: "1.2"
agent_id: "helper"
tools:
  refs:
    - ref: "look-up"
---
`
