/**
 * Descriptions and error codes of boundary 3, collected from the route modules for the documentation and OpenAPI. Not
 * loaded by browsers.
 */
import type { RouteDoc, Routes, RoutesDoc } from '../rows/route.ts'
import * as modules from './index.ts'

type Modules = typeof modules
/** Name prefixes of the route tables, except the combined one. */
type Stem = Exclude<
  keyof { [Name in keyof Modules as Name extends `${infer Name}Routes` ? Name : never]: true },
  'api'
>
type RoutesOf<Name extends Stem> = Modules[`${Name}Routes`] & Routes

/** Does not compile if a route lacks its description. */
const tables: { [Name in Stem as `${Name}Doc`]: RoutesDoc<RoutesOf<Name>> } = modules

const isDoc = (key: string): key is keyof typeof tables => key.endsWith('Doc')

export const apiDoc: Readonly<Record<string, RouteDoc>> = Object.fromEntries(
  Object.keys(tables)
    .filter(isDoc)
    .flatMap((key) => Object.entries(tables[key])),
)
