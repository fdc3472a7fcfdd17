export type ContentKind =
  'json' | 'json_lines' | 'table' | 'log' | 'listing' | 'diff' | 'code' | 'markup' | 'text' | 'binary'
