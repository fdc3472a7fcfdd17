import type { CommandFamily } from '../command-spec.js'
import { isPlainSql } from '../grammars/is-plain-sql.js'

const isName = (value: string) => /^[\w.-]+$/.test(value)

/** Clients of databases, with one statement that only asks. */
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
    values: { '-e': isPlainSql, '--execute': isPlainSql },
    operand: isName,
  },
  // A database that is not opened to read only would be made when it is missing.
  sqlite3: {
    style: 'words',
    needs: '-readonly -help -version',
    options: `-readonly -csv -json -line -list -column -html -markdown -table -box -header -noheader -bail -batch -help
        -version`,
    operands: 2,
    check: ({ operands, options }) =>
      (operands.length === 2 && typeof operands[1] === 'string' && isPlainSql(operands[1])) ||
      (operands.length === 0 && (options.has('-help') || options.has('-version'))),
  },
  // What it selects from may be an address on the web.
  duckdb: { style: 'words', needs: '-help -version', options: '-help -version', operands: 0 },
  sqlcmd: {
    isOpenWorld: true,
    isBare: true,
    options: '-h',
    verbs: {
      config: {
        verbs: {
          'view connection-strings cs get-contexts get-endpoints get-users current-context': {
            options: '--detailed',
          },
        },
      },
      query: { options: '-d= --database=', operands: 1, operand: isPlainSql },
    },
  },
}
