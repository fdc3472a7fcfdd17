import type { SqlToken } from './read-sql-tokens.js'

// Functions of the common databases that only calculate.
const functions = new Set(
  `count sum min max avg coalesce nullif lower upper length char_length substr substring trim ltrim rtrim concat
    replace round floor ceil abs date year month day now version current_database database user if ifnull
    group_concat string_agg array_agg json_agg left right date_trunc to_char pg_size_pretty pg_total_relation_size
    pg_database_size pg_relation_size row_number rank dense_rank greatest least`.split(/\s+/),
)
const types = new Set(
  `int integer bigint smallint text varchar char numeric decimal date time timestamp timestamptz datetime boolean bool
    float real json jsonb uuid signed unsigned`.split(/\s+/),
)
// Keywords: none of them is the name of a column or a table here.
export const sqlKeywords = new Set(
  `select distinct all from where group having order by limit offset union intersect except and or not in is null like
    ilike between as on using join inner left right full outer cross natural case when then else end exists cast over
    partition asc desc nulls into for window fetch with procedure lock lateral table values returning top any
    some set`.split(/\s+/),
)
// Some databases need no separator between two statements: `select 1 shutdown`. So these are never names of a selected
// value.
const beginsStatement = new Set(
  `add alter analyze attach backup begin bulk call checkpoint close commit copy create dbcc deallocate declare delete
    delimiter deny detach disable do drop dump enable end exec execute exit explain flush go goto grant handler if
    import insert install kill load merge notify open optimize option outfile dumpfile pragma prepare print raiserror
    readtext reconfigure refresh reindex release rename repair replace reset restore return revert revoke rollback save
    savepoint send show shutdown start stop system throw tsequal truncate unlock update updatetext use vacuum waitfor
    while writetext xp_cmdshell force ignore partition tablesample straight_join share`.split(/\s+/),
)
const comparisons = new Set([
  '=',
  '<>',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '%',
  '||',
  'and',
  'or',
])

/** Walks over the tokens of a query. Each part returns whether it was present and known. */
export class SqlQueryReader {
  readonly #tokens: readonly SqlToken[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens
  }

  isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  /** Goes past a word or a sign, if it is the next. */
  takes(text: string): boolean {
    const token = this.#tokens[this.#at]
    if (token === undefined || token.text !== text || (token.kind !== 'word' && token.kind !== 'symbol'))
      return false
    this.#at += 1
    return true
  }

  query(): boolean {
    if (++this.#depth > 40) return false
    if (!this.#term()) return false
    while (this.takes('union') || this.takes('intersect') || this.takes('except')) {
      this.takes('all')
      if (!this.#term()) return false
    }
    this.#depth -= 1
    return this.#tail()
  }

  #term(): boolean {
    return this.takes('(') ? this.query() && this.takes(')') : this.#select()
  }

  #select(): boolean {
    if (!this.takes('select')) return false
    if (!this.takes('distinct')) this.takes('all')
    if (!this.#list(() => this.#item())) return false
    if (this.takes('from') && !this.#list(() => this.#source())) return false
    if (this.takes('where') && !this.#expression()) return false
    if (this.takes('group') && !(this.takes('by') && this.#list(() => this.#expression()))) return false
    return !this.takes('having') || this.#expression()
  }

  /** The order and the number of rows, which stand at the end of a query. */
  #tail(): boolean {
    if (this.takes('order') && !(this.takes('by') && this.#list(() => this.#sortKey()))) return false
    if (this.takes('limit') && !(this.#number() && (!this.takes(',') || this.#number()))) return false
    return !this.takes('offset') || this.#number()
  }

  #list(part: () => boolean): boolean {
    do if (!part()) return false
    while (this.takes(','))
    return true
  }

  #item(): boolean {
    return this.takes('*') || (this.#expression() && this.#alias())
  }

  #alias(): boolean {
    if (this.takes('as')) return this.#name()
    const token = this.#tokens[this.#at]
    if (token === undefined || token.kind === 'symbol' || token.kind === 'number') return true
    if (token.kind === 'word' && sqlKeywords.has(token.text)) return true
    if (token.kind === 'string' || beginsStatement.has(token.text)) return false
    this.#at += 1
    return true
  }

  #source(): boolean {
    if (!this.#table()) return false
    while (this.#joins()) {
      if (!this.#table()) return false
      if (this.takes('on') && !this.#expression()) return false
      if (this.takes('using') && !(this.takes('(') && this.#list(() => this.#name()) && this.takes(')')))
        return false
    }
    return true
  }

  #joins(): boolean {
    this.takes('natural')
    if (this.takes('left') || this.takes('right') || this.takes('full')) this.takes('outer')
    else if (!this.takes('inner')) this.takes('cross')
    return this.takes('join')
  }

  #table(): boolean {
    if (this.takes('(')) return this.query() && this.takes(')') && this.#alias()
    // A name in front of a bracket would be a call.
    return this.#dottedName() && this.#tokens[this.#at]?.text !== '(' && this.#alias()
  }

  #sortKey(): boolean {
    if (!this.#expression()) return false
    if (!this.takes('asc')) this.takes('desc')
    return !this.takes('nulls') || this.#word('first', 'last')
  }

  #expression(): boolean {
    if (++this.#depth > 40) return false
    do {
      while (this.takes('not') || this.takes('-'));
      if (!this.#operand() || !this.#tests()) return false
    } while (this.#comparison())
    this.#depth -= 1
    return true
  }

  #comparison(): boolean {
    const token = this.#tokens[this.#at]
    if (token === undefined || (token.kind !== 'symbol' && token.kind !== 'word')) return false
    if (!comparisons.has(token.text)) return false
    this.#at += 1
    return true
  }

  /** `is null`, `in (…)`, `like …`, `between … and …` and `::type`, behind an operand. */
  #tests(): boolean {
    for (;;) {
      if (this.takes('::')) {
        if (!this.#type()) return false
      } else if (this.takes('is')) {
        this.takes('not')
        if (!this.#word('null', 'true', 'false')) return false
      } else {
        const isNot = this.takes('not')
        if (this.takes('in')) {
          if (!this.takes('(') || !this.#inBrackets()) return false
        } else if (this.takes('like') || this.takes('ilike')) {
          if (!this.#operand()) return false
        } else if (this.takes('between')) {
          if (!(this.#operand() && this.takes('and') && this.#operand())) return false
        } else return !isNot
      }
    }
  }

  #operand(): boolean {
    const token = this.#tokens[this.#at]
    if (token === undefined) return false
    if (token.kind === 'number' || token.kind === 'string') {
      this.#at += 1
      return true
    }
    if (this.takes('(')) return this.#inBrackets()
    if (this.takes('case')) return this.#case()
    if (this.takes('null')) return true
    if (this.takes('exists')) return this.takes('(') && this.query() && this.takes(')')
    if (this.takes('cast'))
      return this.takes('(') && this.#expression() && this.takes('as') && this.#type() && this.takes(')')
    if (token.text === 'extract' && this.#at + 1 < this.#tokens.length) return this.#extract()
    return this.#isCall() ? this.#call() : this.#dottedName() && this.#tokens[this.#at]?.text !== '('
  }

  /** `extract(year from …)` */
  #extract(): boolean {
    this.#at += 1
    return this.takes('(') && this.#name() && this.takes('from') && this.#expression() && this.takes(')')
  }

  /** A query or a list of values, behind the bracket that opens it. */
  #inBrackets(): boolean {
    const isQuery = this.#tokens[this.#at]?.text === 'select'
    return (isQuery ? this.query() : this.#list(() => this.#expression())) && this.takes(')')
  }

  #isCall(): boolean {
    const [name, next] = [this.#tokens[this.#at], this.#tokens[this.#at + 1]]
    return name?.kind === 'word' && next?.text === '(' && next.kind === 'symbol' && functions.has(name.text)
  }

  #call(): boolean {
    this.#at += 2
    if (!this.takes(')')) {
      this.takes('distinct')
      if (!(this.takes('*') || this.#list(() => this.#expression())) || !this.takes(')')) return false
    }
    if (!this.takes('over')) return true
    if (!this.takes('(')) return false
    if (this.takes('partition') && !(this.takes('by') && this.#list(() => this.#expression()))) return false
    if (this.takes('order') && !(this.takes('by') && this.#list(() => this.#sortKey()))) return false
    return this.takes(')')
  }

  #case(): boolean {
    if (this.#tokens[this.#at]?.text !== 'when' && !this.#expression()) return false
    while (this.takes('when'))
      if (!(this.#expression() && this.takes('then') && this.#expression())) return false
    return (!this.takes('else') || this.#expression()) && this.takes('end')
  }

  #type(): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'word' || !types.has(token.text)) return false
    this.#at += 1
    return !this.takes('(') || (this.#list(() => this.#number()) && this.takes(')'))
  }

  /** `a`, `a.b` or `a.*`. */
  #dottedName(): boolean {
    if (!this.#name()) return false
    while (this.takes('.')) {
      if (this.takes('*')) return true
      if (!this.#name()) return false
    }
    return true
  }

  #name(): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'quoted' && (token?.kind !== 'word' || sqlKeywords.has(token.text))) return false
    this.#at += 1
    return true
  }

  #number(): boolean {
    if (this.#tokens[this.#at]?.kind !== 'number') return false
    this.#at += 1
    return true
  }

  #word(...texts: readonly string[]): boolean {
    return texts.some((text) => this.takes(text))
  }
}
