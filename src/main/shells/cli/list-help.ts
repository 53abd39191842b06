/** `claimdesk list --help` and `claimdesk export --help`: the whole query language, each sign with an example. */
export const listHelp = `claimdesk list members|dependents|claims|lines
    [--search T] [--filter F]… [--sort S]… [--limit N] [--offset N] [--active] [--gone]
    [--totals | --group-by FIELD]
claimdesk export members|dependents|claims|lines --out FILE
    [--columns a,b,…] [--search T] [--filter F]… [--sort S]… [--active] [--gone]

The window, this command and the export take the same queries. All filters must hold, and the search, too.

--search WORDS   every word must begin a word of the record; capitals and accents do not count:
                 --search 'garcia mri' finds "José García" with an "MRI brain" among its procedures
                 names, providers, check and claim numbers, procedures, diagnoses, remarks, …
                 members and dependents: a full SSN (123-45-6789) finds its person and is written
                 into the audit log; a part of one finds nothing

--filter FIELD SIGN VALUE, without blanks, in quotes because of the shell:
  =        is                     'status=Rejected'   'amount_billed=120.50'   'is_incomplete=true'
  !=       is not, or is missing  'network!=IN'
  =a|b     is one of              'status=Rejected|Adjusted'
  ==       is, taken literally    'remarks==a|b'
  =a..b    between, both included 'amount_billed=1000..2500'   'processed_on=2025-01-01..2025-03-31'
  ~        contains               'service_provider~clinic'
  ^=       starts with            'check_number^=CHK-00'
  >=  <=   at least, at most      'amount_billed>=1000'   'patient_responsibility<=0'
  >   <    more, less than        'amount_paid>0'
  >   <    after, before          'processed_on>2025-06-30'   'createddate<2025-01-01'
  =        (nothing behind)       'check_number='     is empty
  !=       (nothing behind)       'check_number!='    is not empty
  Amounts are exact, in dollars. Dates are 2025-03-31; a day includes all its times.
  ~ and ^= do not look at capitals; the other signs do. An SSN is only asked for whole, with = or |,
  or whether it is there.

Fields have the service's names, dotted where they lie inside another: type.name, employer.name,
policy_holder.last_name, date_of_service.start. The header of an export names them all. Besides:
  date_of_service=2025-01-01..2025-03-31   claims and lines with a day of service in that time
  date_of_service.month=2025-03            whose service began in that month
  members.id=7                             claims of a member
  members.employer.id, members.employer.name, members.tenant.id, members.tenant.name
                                           claims by who employs a member of theirs
  claim_id (lines), member_id (dependents) what they belong to

--sort FIELD[:asc|desc][:nulls-first|nulls-last], several by comma or again; what is missing comes last
                 unless said, and equal ones are ordered by id:
                 --sort status,amount_billed:desc   --sort check_date:desc:nulls-first

--totals         one line with count and exact sums of the whole list instead of its records
--group-by FIELD one line a group, largest first: its value, count, exact sums, and the filter that opens
                 into exactly its rows. By any field but dates and SSNs, and by date_of_service.month,
                 members.id, members.employer.id, members.tenant.id; a claim of two members is in both
                 their groups.
                 claimdesk list claims --filter 'network=OUT' --group-by service_provider --limit 10

--active         without archived members        --gone   with what the service no longer returns
--limit N --offset N                             --reveal full SSNs, written into the audit log

  claimdesk list claims --filter 'status=Rejected' --filter 'amount_billed>=1000' \\
    --filter 'date_of_service=2025-01-01..2025-03-31' --search 'garcia mri' --sort amount_billed:desc
`;
