// An API process that dies between COMMIT and dispatch. Only exit-after-commit.ts runs it.
import { sandboxExchangeRates } from '../../rails/exchange-rates.ts'
import { createRails } from '../../rails/index.ts'
import { connectProviders, noProviders } from '../../rails/providers.ts'
import { createAccessTokens } from '../../api/access/access-token.ts'
import { createRequestLog } from '../../api/http/request-log.ts'
import { createApp } from '../../api/http/server.ts'
import { apiVersions } from '../../api/http/versions.ts'
import { EventFeed } from '../../api/webhook/event-feed.ts'
import { openDatabase } from '../../db/open-database.ts'
import { passwords } from '../../db/access/password.ts'
import { createEncrypter } from '../../db/core/encryption.ts'
import { systemClock } from '../../engine/clock.ts'
import { loadConfig } from '../../engine/config.ts'
import type { Engine } from '../../engine/engine.ts'
import { createLogger } from '../../engine/logger.ts'
import { createMailer } from '../../engine/mailer.ts'

const config = loadConfig()
const database = await openDatabase(config.databaseUrl, 4)
database.onCommitted = () => void process.kill(process.pid, 'SIGKILL')
const unreachable = () => Promise.reject(new Error('this process never reaches the engine'))
const logger = createLogger(config, 'api')
const encrypter = createEncrypter(config.encryptionKeys)
const services = {
  config,
  database,
  clock: systemClock,
  logger,
  requestLog: createRequestLog({ database, logger }),
  engine: {
    dispatch: unreachable,
    update: unreachable,
  } satisfies Engine,
  rates: sandboxExchangeRates,
  rails: createRails(database),
  providers: connectProviders(noProviders, { database, encrypter }),
  encrypter,
  passwords,
  accessTokens: createAccessTokens(database, encrypter),
  mailer: createMailer(null, '', logger),
  eventFeed: new EventFeed({ database, logger }),
  versions: apiVersions,
}
createApp(services).listen(config.port, config.host, () => services.logger.info('API is listening'))
