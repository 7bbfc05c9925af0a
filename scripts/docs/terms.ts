// Finds misspelled product names and terms in the prose of Markdown files. docs/glossary.md explains the terms.

import { listProse } from './markdown.ts'

/** Spellings in any case. Each has to be the name exactly. */
const names: Readonly<Record<string, RegExp>> = {
  Latchkey: /\blatch[ -]?key\b/gi,
  JavaScript: /\bjava ?script\b/gi,
  TypeScript: /\btype ?script\b/gi,
  GitHub: /\bgit ?hub\b/gi,
  PostgreSQL: /\bpostgres(?:ql)?\b/gi,
  SQLite: /\bsqlite\b/gi,
  Node: /\bnodejs\b/gi,
  npm: /\bnpm\b/gi,
  wagmi: /\bwagmi\b/gi,
  WalletConnect: /\bwallet ?connect\b/gi,
  MetaMask: /\bmeta ?mask\b/gi,
  RainbowKit: /\brainbow ?kit\b/gi,
  WebAuthn: /\bweb ?authn\b/gi,
  OAuth: /\boauth\b/gi,
}

/** Spellings in any case. Each has to be the word, which may have a capital or a plural. */
const words: Readonly<Record<string, RegExp>> = {
  iframe: /\bi-?frames?\b/gi,
  passkey: /\bpass[ -]?keys?\b/gi,
  hostname: /\bhost[ -]?names?\b/gi,
  'e-mail': /\be-?mails?\b/gi,
  webhook: /\bweb[ -]?hooks?\b/gi,
  backend: /\bback[ -]?ends?\b/gi,
  allowlist: /\b(?:white|allow)[ -]?lists?\b/gi,
  'second factor': /\bmulti-factor\b/gi,
  color: /\bcolou?rs?\b/gi,
  license: /\blicen[cs]es?\b/gi,
}

const isWord = (found: string, word: string) => {
  const [first = '', rest = ''] = [found.charAt(0).toLowerCase(), found.slice(1)]
  return [word, `${word}s`].includes(first + rest)
}

export function misspelledTerms(path: string, text: string): string[] {
  return listProse(text).flatMap(({ line, prose }) => {
    const find = (terms: typeof names, isRight: (found: string, term: string) => boolean) =>
      Object.entries(terms).flatMap(([term, spellings]) =>
        [...prose.matchAll(spellings)]
          .filter(([found]) => !isRight(found, term))
          .map(([found]) => `${path}:${line}: write "${term}" instead of "${found}"`),
      )
    return [...find(names, (found, name) => found === name), ...find(words, isWord)]
  })
}
