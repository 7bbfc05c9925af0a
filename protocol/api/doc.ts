/**
 * Sentences and error codes of boundary 3, read from the modules of its routes, for the document and for OpenAPI. Nothing
 * in a browser reads this.
 */
import type { RouteDoc, Routes, RoutesDoc } from '../rows/route.ts'
import * as modules from './index.ts'

type Modules = typeof modules
/** What the names of the tables begin with, all but that of the one that holds every row. */
type Stem = Exclude<
  keyof { [Name in keyof Modules as Name extends `${infer Name}Routes` ? Name : never]: true },
  'api'
>
type RoutesOf<Name extends Stem> = Modules[`${Name}Routes`] & Routes

/** A table of routes that lacks a sentence does not compile here. */
const tables: { [Name in Stem as `${Name}Doc`]: RoutesDoc<RoutesOf<Name>> } = modules

const isDoc = (key: string): key is keyof typeof tables => key.endsWith('Doc')

export const apiDoc: Readonly<Record<string, RouteDoc>> = Object.fromEntries(
  Object.keys(tables)
    .filter(isDoc)
    .flatMap((key) => Object.entries(tables[key])),
)
