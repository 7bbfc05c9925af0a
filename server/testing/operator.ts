/**
 * The operator's command, kept at hand: a test changes a setting more often than it is worth to start a program for.
 * Each command opens the database of the environment for itself, as it does on the command line.
 */
import { appTool } from '../start/commands/app-tool.ts'
import { runCommand } from '../start/commands/command.ts'

// What ends it with its parent lets the channel keep nobody alive, and here it is all there is to wait for.
process.channel?.ref()
process.on('message', async (args: readonly string[]) => {
  const printed: string[] = []
  const ran = await runCommand(appTool, args, process.env, (line) => printed.push(line))
  process.send?.(ran.ok ? { printed: printed.join('\n') } : { why: ran.why })
})
