import { constants } from 'node:os'

// The entry point of the image: the name of a process or of an operator's command, then the arguments of that command.
const entries: Record<string, string> = {
  api: '../../api/main.ts',
  worker: '../../engine/worker.ts',
  migrate: '../migrate.ts',
  'prepare-temporal': '../prepare-temporal.ts',
  release: '../release.ts',
  bootstrap: '../bootstrap.ts',
  invite: '../invite.ts',
  'remove-staff': '../remove-staff.ts',
  activate: '../activate-account.ts',
  capability: '../decide-capability.ts',
  'rate-tier': '../set-rate-tier.ts',
  reencrypt: '../reencrypt.ts',
  reconcile: '../reconcile.ts',
  restore: '../restore.ts',
  'check-rails': '../check-rails.ts',
  healthy: './healthy.ts',
}

// A container's first process is not ended by a signal that it does not handle. So one that is told to stop while it
// still starts, or is a command, ends here. The service itself stops by its own handler, once it has one.
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
  })

const [name = ''] = process.argv.splice(2, 1)
const entry = Object.hasOwn(entries, name) ? entries[name] : undefined

if (entry) await import(entry)
else {
  console.error(`Which process or command? One of: ${Object.keys(entries).join(', ')}`)
  process.exitCode = 2
}
