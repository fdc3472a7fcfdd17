/** What a request is made of, beside its input and its server. */
export interface HttpOperation {
  /** In upper case. */
  readonly method: string
  /** The template of the path, such as `/pets/{id}`. */
  readonly path: string
  readonly parameters: readonly CompiledParameter[]
  readonly body: CompiledBody | undefined
}

export type ParameterPosition = 'path' | 'query' | 'header' | 'cookie' | 'querystring'

export interface CompiledParameter {
  /** The member of the input: a name that every model API allows. */
  readonly field: string
  /** The name on the wire, or in the template of the path. */
  readonly name: string
  readonly in: ParameterPosition
  readonly isRequired: boolean
  readonly style: ParameterStyle
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly allowEmptyValue: boolean
  /** The value is encoded as this media type, such as `application/json`; style and explode do not apply. */
  readonly mediaType: string | undefined
}

export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  /** 3.2: a cookie's pairs, without percent-encoding. */
  | 'cookie'
  /** Swagger 2.0: values joined by a tab. */
  | 'tabDelimited'

export interface CompiledBody {
  readonly isRequired: boolean
  /** The member of the input that holds the body. */
  readonly field: string
  /** The member of the input that chooses the media type, where there are several. */
  readonly typeField: string | undefined
  /** In the order of preference: the first is sent unless the input chooses another. */
  readonly contents: readonly BodyContent[]
}

/** `json`, `form` (urlencoded), `multipart`, `text` (also XML and others, sent as given), `binary` (base64 in the input), `lines` (one JSON text per line). */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary' | 'lines'

export interface BodyContent {
  readonly mediaType: string
  readonly kind: BodyKind
  /** How members of a form or a multipart body are written; members without an entry get the defaults. */
  readonly encoding: Readonly<Record<string, PartEncoding>>
}

export interface PartEncoding {
  readonly contentType?: string | undefined
  readonly style?: ParameterStyle | undefined
  readonly explode?: boolean | undefined
  readonly allowReserved?: boolean | undefined
  /** The value is Base64 and is sent as bytes. */
  readonly isBinary?: boolean | undefined
  /** Constant headers of a part. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}
