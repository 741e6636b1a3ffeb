/**
 * Terms that are in the names of most assets and in the texts of most vulnerabilities and threats, so that they never
 * relate two records on their own.
 */
const generic: ReadonlySet<string> = new Set(
  `a about access account accounts active actor actors admin administration administrator advanced after against agent
  all allow allows also an and any api app appliance application applications apps arbitrary archive are as asset assets
  at attack attacker attackers attacks auth authentication authorization backend backup base basic be before bypass
  buffer building bug business by campaign can cause central center centre certificate check client clients cloud
  cluster code command company component components computer computers config configuration connection console contain
  contains content control controller core corporate corruption could crafted craft critical cross customer customers
  cyber data database databases datacenter default delivery denial denied department deployment desktop dev
  development device devices digital directory disclosure disk dns document documents domain down due edge edition
  email employee employees engine enterprise environment error escalation execute execution exploit exploits export
  exposed external failure feature field file files finance firewall firmware first fix flaw for form format found
  framework free from front frontend function gain gateway general global group handler hardware has have header high
  home host hosting hosts http https id identity impact import improper in incorrect industrial information
  infrastructure injection input insecure insufficient integer integration interface internal internet intranet
  invalid inventory is issue issues it its job key keys language laptop laptops large last layer leading leak legacy
  level library linked list load local location log logging login logs low machine machines mail main malicious malware
  manage management manager marketing master may media medium memory message messages missing mobile module monitor
  monitoring multiple name network networks new node nodes not null object of office old on one online open operating
  operation operations or order organization other out overflow owner packet page parameter parser part password
  passwords patch path payload payment payments permission permissions phone platform platforms plugin point policy
  port portal prior private privilege privileges process processing processor prod product production products profile
  program project protocol provider proxy public query quality read record records redirect release remote report
  reports repository request requests resource resources response restricted retail reverse risk role root router
  routine run running sales scan script scripting scripts search second secondary secure security self sensitive
  server servers service services session sessions set setting settings several shared shop site sites software some
  source special specific staff stage staging standard state storage store string such support suite switch system
  systems table target team technical technology temporary terminal test testing than that the their third this threat
  threats through time to token tool tools traffic traversal trusted two type unauthenticated unauthorized under
  unknown unspecified update updates upload url use used user users using utility validation value version versions
  via victim view virtual vpn vulnerabilities vulnerability vulnerable warehouse was weak web website when where which
  wifi will windowed wireless with within without work worker workstation workstations write xml zone`
    .split(/\s+/u)
    .filter((term) => term !== ''),
);

/** A number, or a version such as v2 or 10a. */
const versionForm = /^(?:v?\p{N}+[\p{L}\p{N}]?|\p{N}+[\p{L}\p{N}]*)$/u;

export const isVersion = (token: string): boolean => versionForm.test(token);

/** Whether a token cannot relate two records on its own. */
export const isGeneric = (token: string): boolean => generic.has(token) || isVersion(token);
