import type { ReactNode } from 'react'
import type { JsonObject, ToolDetail } from '../../api/types.js'
import { Link } from '../../shell/router.js'
import { Fields } from '../../ui/fields.js'
import { Json } from '../../ui/json.js'
import { Text } from '../../ui/text.js'
import { FactTable } from './fact-origins.js'
import { SchemaFields } from './schema-fields.js'
import { kindWords } from './state-badge.js'
import { shortPrint } from './tool-versions.js'

export function ToolAbout({ tool }: { readonly tool: ToolDetail }): ReactNode {
  return (
    <div className="tool-columns">
      <div className="tool-main">
        <section className="section" aria-labelledby="about-description">
          <h2 id="about-description">Description</h2>
          <p className="prose">
            <Text>{tool.description}</Text>
          </p>
        </section>
        <section className="section" aria-labelledby="about-input">
          <h2 id="about-input">Input</h2>
          <SchemaFields schema={tool.input_schema} empty="The tool takes no input." />
        </section>
        {tool.output_schema !== undefined && (
          <section className="section" aria-labelledby="about-output">
            <h2 id="about-output">Output</h2>
            <SchemaFields schema={tool.output_schema} empty="The output has no fields." />
          </section>
        )}
        {tool.examples.length > 0 && (
          <section className="section" aria-labelledby="about-examples">
            <h2 id="about-examples">Examples</h2>
            {tool.examples.map((example, index) => (
              <Json key={index} value={example} label={`Example ${index + 1}`} />
            ))}
          </section>
        )}
      </div>
      <aside className="tool-aside" aria-label="About this tool">
        <section className="section">
          <h2>Facts</h2>
          <FactTable facts={tool.facts} />
        </section>
        <Origin tool={tool} />
        <Names names={tool.names} />
        <Lint lint={tool.lint} />
        <Profile title="Permission profile" profile={tool.permission} />
        <Profile title="Execution profile" profile={tool.execution} />
      </aside>
    </div>
  )
}

function Origin({ tool }: { readonly tool: ToolDetail }): ReactNode {
  const calls = `/calls?tool=${encodeURIComponent(tool.name)}`
  return (
    <section className="section">
      <h2>Origin</h2>
      <Fields
        rows={[
          ['Source', <Text key="source">{tool.source}</Text>],
          ['Kind', kindWords(tool.kind)],
          ['Lifecycle', tool.lifecycle.replaceAll('_', ' ')],
          [
            'Fingerprint',
            <code key="fingerprint" title={tool.fingerprint}>
              {shortPrint(tool.fingerprint)}
            </code>,
          ],
          ['In a prompt', tool.tokens === undefined ? undefined : `${tool.tokens.toLocaleString()} tokens`],
          [
            'Calls',
            <Link key="calls" to={calls}>
              {tool.calls === undefined ? 'Show calls' : `${tool.calls.toLocaleString()} calls`}
            </Link>,
          ],
        ]}
      />
    </section>
  )
}

function Names({ names }: { readonly names: readonly string[] }): ReactNode {
  if (names.length === 0) return null
  return (
    <section className="section">
      <h2>Clients call it</h2>
      <ul className="name-list">
        {names.map((name) => (
          <li key={name}>
            <code>
              <Text>{name}</Text>
            </code>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Lint({ lint }: { readonly lint: ToolDetail['lint'] }): ReactNode {
  return (
    <section className="section">
      <h2>Findings</h2>
      {lint.length === 0 ? (
        <p className="muted">The definition has no findings.</p>
      ) : (
        <ul className="lint-list">
          {lint.map(({ code, message }, index) => (
            <li key={index}>
              <Text>{message}</Text> {code !== undefined && <code className="muted">{code}</code>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Members that only link records. */
const NOT_SHOWN = /^schema_version$|_id$|^external_mappings$|^toolcrib$/

function Profile({
  title,
  profile = {},
}: {
  readonly title: string
  readonly profile: JsonObject | undefined
}): ReactNode {
  const rows = Object.entries(profile).filter(([name, value]) => !NOT_SHOWN.test(name) && !isNo(value))
  if (rows.length === 0) return null
  return (
    <section className="section">
      <h2>{title}</h2>
      <Fields rows={rows.map(([name, value]) => [nameWords(name), valueOf(name, value)])} />
    </section>
  )
}

function isNo(value: unknown): boolean {
  return (
    value === false || value === null || value === undefined || (Array.isArray(value) && value.length === 0)
  )
}

function nameWords(name: string): string {
  return name.replace(/^supports_/, '').replaceAll('_', ' ')
}

function valueOf(name: string, value: unknown): ReactNode {
  if (value === true) return 'yes'
  if (typeof value === 'object') return <Json value={value} label={nameWords(name)} depth={1} />
  return <Text>{String(value).replaceAll('_', ' ')}</Text>
}
