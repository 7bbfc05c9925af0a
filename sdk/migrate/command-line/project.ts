/** What the package.json nearest to a file says of its project. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Project } from '../privy/source-file.ts'

const bundlers: readonly (readonly [string, NonNullable<Project['bundler']>])[] = [
  ['next', 'next'],
  ['vite', 'vite'],
  ['react-scripts', 'create-react-app'],
]

export function createProjects(): (folder: string) => Project {
  const known = new Map<string, Project>()
  const projectOf = (folder: string): Project => {
    const found =
      known.get(folder) ?? read(folder) ?? (dirname(folder) === folder ? {} : projectOf(dirname(folder)))
    known.set(folder, found)
    return found
  }
  return projectOf
}

function read(folder: string): Project | undefined {
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const all: Record<string, unknown> = { ...dependencies, ...devDependencies }
    const major = /^[\^~>=v\s]*(\d+)/.exec(String(all['@privy-io/react-auth'] ?? ''))?.[1]
    return {
      privyMajor: major === undefined ? undefined : Number(major),
      bundler: bundlers.find(([name]) => Object.hasOwn(all, name))?.[1],
    }
  } catch {
    return undefined
  }
}
