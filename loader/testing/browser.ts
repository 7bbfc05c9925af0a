/**
 * What only a browser can show: `node --conditions=latchkey-source loader/testing/browser.ts [words of a fact]`,
 * after a build. Prints a line a fact.
 */
import './empty-card.facts.ts'
import './frame.facts.ts'
import './page.facts.ts'
import './second-file.facts.ts'
import './failures.facts.ts'
import { prove } from './stage.ts'

process.exit((await prove(process.argv[2] ?? '')) === 0 ? 0 : 1)
