import { wrongCertificates, wrongPrivateKey } from './pem.ts'
import { pem, text, whole } from './variable.ts'

/** The variables that say how the Temporal service is reached, in the order of .env.example. */
export const temporalSchemas = {
  TEMPORAL_ADDRESS: text({
    description: 'The Temporal service, which runs the processes.',
    pattern: '^[^\\s/:]+:\\d{1,5}$|^\\[[0-9a-fA-F:]+\\]:\\d{1,5}$',
    must: 'host:port',
    example: '127.0.0.1:7233',
  }),
  TEMPORAL_NAMESPACE: text({
    description: 'The namespace of the processes.',
    pattern: '^\\S+$',
    default: 'default',
    must: 'a name without spaces',
  }),
  TEMPORAL_TLS: whole({
    description: '1 encrypts the connections to the Temporal service, and checks its certificate.',
    minimum: 0,
    maximum: 1,
    default: 0,
    must: '0 or 1',
  }),
  TEMPORAL_TLS_SERVER_NAME: text({
    description: 'The name in its certificate, where that is not the host of TEMPORAL_ADDRESS.',
    pattern: '^$|^(?=.*[A-Za-z])[\\w-]+(\\.[\\w-]+)*$',
    default: '',
    must: 'a host name',
    example: 'payments.a1b2c.tmprl.cloud',
  }),
  TEMPORAL_TLS_CA: pem(
    {
      description: 'The authorities of its certificate, where they are not among those that Node trusts.',
      must: 'certificates in PEM',
      secret: true, // whoever pastes a key here by mistake must not find it in a log
    },
    wrongCertificates,
  ),
  TEMPORAL_TLS_CERT: pem(
    {
      description:
        'The certificate that the processes show to the Temporal service, where it asks for one, then those between ' +
        'it and its authority. TEMPORAL_TLS_KEY is its key.',
      must: 'certificates in PEM',
      secret: true,
    },
    wrongCertificates,
  ),
  TEMPORAL_TLS_KEY: pem(
    {
      description: 'The private key of TEMPORAL_TLS_CERT.',
      must: 'a private key in PEM',
      secret: true,
    },
    wrongPrivateKey,
  ),
  TEMPORAL_API_KEY: text({
    description: 'The API key that is sent to the Temporal service with each call, where it asks for one.',
    pattern: '^[\\x21-\\x7e]*$',
    default: '',
    must: 'printable characters without spaces',
    secret: true,
  }),
}
