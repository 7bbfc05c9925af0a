/**
 * A running process for operator commands, because starting a program for each changed setting would be slow. Each
 * command opens the configured database itself, like on the command line.
 */
import { flushCompileCache } from 'node:module'
import { appTool } from '../start/commands/app-tool.ts'
import { runCommand } from '../start/commands/command.ts'
import { operatorTool } from '../start/commands/operator-tool.ts'

// `end-with-parent.mjs` unreferences the channel, but here it must keep the process alive.
process.channel?.ref()
process.on('message', async (args: readonly string[]) => {
  const printed: string[] = []
  // Commands of `latchkey app`, and those of `latchkey operator` after its name.
  const [tool, rest] = args[0] === 'operator' ? [operatorTool, args.slice(1)] : [appTool, args]
  const ran = await runCommand(tool, rest, process.env, (line) => printed.push(line))
  // A signal ends this process, and then Node writes no compile cache by itself.
  flushCompileCache()
  process.send?.(ran.ok ? { printed: printed.join('\n') } : { why: ran.why })
})
