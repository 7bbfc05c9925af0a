/**
 * Silences the simulated document. It loads no frames and no scripts, and reports each on Node's own console, which
 * vitest has replaced for the tests.
 */
import nodeConsole from 'node:console'

nodeConsole.error = () => {}
