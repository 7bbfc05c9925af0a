// Ends the process with the given id when this process's parent is gone, which closes the pipe between them.

process.stdin.on('end', () => {
  try {
    process.kill(Number(process.argv[2]), 'SIGKILL')
  } catch {
    // It ended with them.
  }
})
process.stdin.resume()
