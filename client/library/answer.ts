import type { paths } from './openapi.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have an operation with this method. */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never
}[keyof paths]

type Operation<Path extends keyof paths, M extends Method> = M extends keyof paths[Path] ? paths[Path][M] : never

type ContentOf<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Body }
    ? Body
    : Blob
  : never

/** What an operation answers with: the parsed JSON, or a `Blob` if it is a file. */
export type AnswerOf<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { responses: infer Responses } ? ContentOf<Responses[keyof Responses]> : never

type QueryOf<Path extends keyof paths> =
  Operation<Path, 'get'> extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never

type IsPaged<Path extends keyof paths> = [QueryOf<Path>] extends [never]
  ? false
  : 'limit' extends keyof QueryOf<Path>
    ? AnswerOf<Path, 'get'> extends { items: unknown[] }
      ? true
      : false
    : false

/** The paths of the lists that are read page by page. */
export type ListPath = { [Path in keyof paths]: IsPaged<Path> extends true ? Path : never }[keyof paths]

/** An item of a list. */
export type ItemOf<Path extends ListPath> = AnswerOf<Path, 'get'> extends { items: (infer Item)[] } ? Item : never
