"""Names of columns that lead to one person, or to one home."""

from __future__ import annotations

from .meaning import IDENTIFIER, Meaning, keys_of

PEOPLE = (
    "patient pat pt person subject subj usubj member mbr customer cust client employee emp staff worker student pupil "
    "participant respondent resp user resident beneficiary bene donor applicant candidate passenger voter taxpayer "
    "citizen insured insuree policyholder subscriber borrower tenant guest inmate individual indiv case proband "
    "versicherten patienten kunden mitarbeiter personal"
)
"""Words for people, before the word for a key."""

EVENTS = (
    "visit visitoccurrence encounter admission hadm stay icustay episode order claim transaction event record row item "
    "sample specimen test lab prescription appointment session invoice payment shipment ticket call message document "
    "form batch transfer note procedure procedureoccurrence conditionoccurrence drugexposure measurement observation "
    "image study accession line"
)
"""Words for what happens to people."""

IDENTIFIERS = (
    Meaning(
        IDENTIFIER,
        "Key of a person: it leads to one of them.",
        names="patient person subject member customer client employee student pupil participant respondent resident "
        "beneficiary donor applicant candidate passenger voter taxpayer policyholder subscriber borrower inmate "
        "individual proband user worker insured patientin kunde kundin mitarbeiter mitarbeiterin versicherter",
        kind="person id",
        fewest=4,
        counts_people=True,
    ),
    Meaning(
        IDENTIFIER,
        "Key of a person: it leads to one of them.",
        names="seqn seqno cpsidp pid ptid sid eid mrn mpi nr lfdnr desynpufid pernr",
        words=f"{keys_of(PEOPLE)} mrn medicalrecordnumber medicalrecordno medicalrecord empcode badgenumber badgeno "
        "badgeid patientcode customercode membercode payrollnumber payrollno personnelnumber matriculation usubjid "
        "cpsidp studentcode personcode subjectcode empi",
        kind="person id",
        fewest=2,
        counts_people=True,
    ),
    Meaning(
        IDENTIFIER,
        "Key of a household: it leads to a home, and people share it.",
        names="household family serialno serial hrhhid hrhhid2 hhid cpsid hhseq qstnum duid hserial",
        words=keys_of("household hh family dwelling home hous"),
        kind="household id",
        fewest=4,
    ),
    Meaning(
        IDENTIFIER,
        "Key of an event, such as a visit or an order: whoever has the records finds the person.",
        words=keys_of(EVENTS),
        fewest=21,
    ),
    Meaning(
        IDENTIFIER,
        "Numbers the rows: whoever has the source finds them again.",
        names="rowid rownum rownumber index idx unnamed recno obs obsno lineno linenumber",
        fewest=21,
    ),
    Meaning(
        IDENTIFIER,
        "By its name a key, with many values.",
        names="no number num",
        words="id ids uid guid uuid key identifier reference pseudonym",
        fewest=21,
        counts_people=True,
    ),
    Meaning(
        IDENTIFIER,
        "E-mail addresses reach one person each.",
        words="email emails mail emailaddress mailaddress",
        kind="e-mail",
        counts_people=True,
    ),
    Meaning(
        IDENTIFIER,
        "Telephone numbers reach one person, or a home.",
        words="phone telephone tel mobile fax phonenumber telephonenumber cellphone telefon handy",
        kind="phone",
        fewest=21,
        counts_people=True,
    ),
    Meaning(
        IDENTIFIER,
        "An official number belongs to one person.",
        words="ssn ssnumber socialsecurity socialsecuritynumber passport nationalid taxid nhsnumber nhsno nhs nino "
        "licence license driverslicense driverlicense versichertennummer steuernummer medicareid medicaidid hicn "
        "mbi",
        kind="national id",
        fewest=21,
        counts_people=True,
    ),
    Meaning(
        IDENTIFIER,
        "Bank accounts belong to one person, or a few.",
        words="iban bankaccount account accountnumber accountno accountid acct acctno",
        kind="bank account",
        fewest=21,
        counts_people=True,
    ),
    Meaning(
        IDENTIFIER,
        "Cards belong to one person each.",
        words="creditcard cardnumber ccnumber pan cardno",
        kind="card number",
        fewest=21,
        counts_people=True,
    ),
    Meaning(
        IDENTIFIER,
        "Accounts belong to one person each.",
        names="login",
        words="username loginname screenname",
        kind="person id",
        counts_people=True,
    ),
    Meaning(
        IDENTIFIER,
        "Names of people.",
        names="name names fullname",
        words="firstname lastname givenname familyname maidenname middlename surname forename patientname customername "
        "clientname personname employeename studentname membername doctorname ownername guestname "
        "contactname physicianname nickname fname lname vorname nachname familienname "
        "signature patientfullname fullname",
        kind="name",
    ),
    Meaning(IDENTIFIER, "Names of people.", names="first last maiden", kind="name", fewest=21),
    Meaning(
        IDENTIFIER,
        "Addresses lead to one home.",
        words="address addr street addressline streetaddress homeaddress strasse hausnummer housenumber",
        kind="address",
    ),
    Meaning(
        IDENTIFIER,
        "Leads to one device, and to who uses it.",
        words="macaddress imei deviceid cookieid",
        counts_people=True,
    ),
    Meaning(IDENTIFIER, "Leads to one connection, and to who uses it.", words="ipaddress"),
    Meaning(
        IDENTIFIER,
        "Belongs to one car, and to who drives it.",
        words="vin licenseplate licenceplate numberplate",
        fewest=21,
    ),
)
