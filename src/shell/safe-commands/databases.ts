import type { Argument } from '../parse/argument.js'
import type { CommandFamily } from '../command-spec.js'
import { isPlainQuery, isPlainSql } from '../grammars/is-plain-sql.js'

const isName = (value: string) => /^[\w.-]+$/.test(value)

// The client may take such a word at the start of a line for a client command, and run it.
const commandLine = new RegExp(
  `\\n\\s*(?:charset|clear|connect|delimiter|edit|ego|exit|go|help|nopager|notee|nowarning|pager|print|prompt|query_attributes|
    quit|rehash|resetconnection|sandbox|source|status|system|tee|use|warnings)\\b`.replace(/\s+/g, ''),
  'i',
)
const isMysqlStatement = (value: string) => isPlainSql(value) && !commandLine.test(value)

/** A database that is opened as immutable: otherwise a journal is created beside it, even for a read. */
const isImmutable = (name: Argument | undefined) =>
  typeof name === 'string' && /^(?::memory:|file:[\w./~+-]+\?(?:mode=ro&)?immutable=1)$/.test(name)

/** Clients of databases, with one read-only statement. */
export const databases: CommandFamily = {
  psql: {
    isOpenWorld: true,
    // Not -f, -o, -L and -v: scripts, files to write, and variables that end up in the statement.
    needs: '-c -l --command --list',
    options: `-c= -l -t -A -q -X -x -H -1 -h= -U= -d= -p= -F= -w --command= --list --tuples-only --no-align --quiet
      --no-psqlrc --expanded --html --csv --host= --username= --dbname= --port= --field-separator= --no-password`,
    values: { '-c': isPlainSql, '--command': isPlainSql, '-d': isName, '--dbname': isName },
    operand: isName,
  },
  'mysql mariadb': {
    isOpenWorld: true,
    // Not --pager, --tee, --init-command, --defaults-file and --plugin-dir.
    needs: '-e --execute -V',
    options: `-e= -h= -u= -P= -D= -p? -N -B -s -t -H -X -V --execute= --host= --user= --port= --database=
      --password? --batch --silent --table --html --xml --skip-column-names --raw`,
    values: { '-e': isMysqlStatement, '--execute': isMysqlStatement },
    operand: isName,
  },
  // A view in the database can call any function, also one that starts an editor. Only -safe forbids that.
  sqlite3: {
    style: 'words',
    options: `-readonly -safe -csv -json -line -list -column -html -markdown -table -box -quote -tabs -header -noheader
      -bail -batch -help -version -nullvalue= -separator= -newline=`,
    operands: 2,
    check: ({ operands: [name, statement], options }) =>
      name === undefined
        ? options.has('-help') || options.has('-version')
        : options.has('-safe') &&
          options.has('-readonly') &&
          isImmutable(name) &&
          typeof statement === 'string' &&
          isPlainQuery(statement),
  },
}
