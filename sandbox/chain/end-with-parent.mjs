// Ends the process of the given id when whoever started this one is gone: the pipe between them then ends.

process.stdin.on('end', () => {
  try {
    process.kill(Number(process.argv[2]), 'SIGKILL')
  } catch {
    // It ended with them.
  }
})
process.stdin.resume()
