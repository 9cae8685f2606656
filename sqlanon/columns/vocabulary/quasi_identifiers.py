"""Names of quasi-identifiers: what others may know, see or look up about a person."""

from __future__ import annotations

from .meaning import QUASI_IDENTIFIER, Meaning

QUASI_IDENTIFIERS = (
    Meaning(
        QUASI_IDENTIFIER,
        "Age: people around know it.",
        names="agep prtage aage ridageyr ridagemn age80 ageg5yr anchorage alter edad agegroup agecat agerange ageband",
        words="age ages ageyears ageinyears",
        kind="age",
        low=0,
        high=130,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Age: people around know it.",
        names="ridagemn ridexagm",
        words="agemonths ageinmonths agemonth",
        kind="age",
        low=0,
        high=1600,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Sex: everybody can see it.",
        names="pesex asex riagendr sexvar geschlecht sexo sexe birthsex",
        words="sex gender",
        kind="sex",
        most=10,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Date of birth: in registers, and known to friends.",
        names="anchoryear qtrbir geburtsdatum geburtsjahr naissance",
        words="birth dob yob birthdate birthday birthyear dateofbirth yearofbirth monthofbirth dayofbirth birthmonth "
        "born birthdatetime",
        kind="date of birth",
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Postal code: in every address book.",
        words="zip zipcode postal postcode postalcode plz postleitzahl codepostal zcta",
        kind="postal code",
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Coordinates lead to a place, and to who lives there.",
        words="lat lon lng latitude longitude geolocation",
        kind="coordinate",
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Where somebody lives: neighbours know it.",
        names="st puma statefip countyfip gestfips gtco gtcbsa region wohnort ort land kreis bundesland msa metarea "
        "metro urban rural urbanrural typehuq puma10 puma20 gereg metstat ctract tract",
        words="city town village municipality county state province region country district residence neighborhood "
        "neighbourhood censustract blockgroup locality location fips metropolitan borough prefecture canton",
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Where somebody lived before: neighbours may know it.",
        names="mig migpuma migsp migpuma10 migrate1 yoep",
        words="yearofentry previousresidence",
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Place of birth or origin: it shows in many profiles.",
        names="pobp bpl nativity waob anc1p anc2p anc decade dmdborn4 penatvty pemntvty pefntvty",
        words="birthplace placeofbirth countryofbirth birthcountry nativecountry ancestry origin "
        "nationality immigrant "
        "immigration migrationbackground",
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Citizenship: authorities and employers know it.",
        names="cit citwp prcitshp dmdcitzn staatsangehoerigkeit",
        words="citizen citizenship",
        most=300,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Race or ethnicity: others see it, and the law protects it.",
        names="rac1p rac2p rac3p racaian racasn racblk racnh racnhpi racnum racpi racsor racwht hisp hispan ptdtrace "
        "prdtrace prdthsp pehspnon ridreth1 ridreth3 imprace racegr3 hispanc3",
        words="race races ethnicity ethnic ethnicgroup hispanic latino tribe skincolor skincolour raceethnicity",
        most=600,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Language: whoever talks with a person hears it.",
        names="lanx lanp eng hhl sprache hhlanp",
        words="language mothertongue nativelanguage",
        most=600,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Marital status: family, neighbours and registers know it.",
        names="mar marst pemaritl amaritl maritl dmdmartl dmdmartz marital marhd marhm marht marhw marhyp msp "
        "familienstand",
        words="maritalstatus marital married civilstatus marriagestatus spouse partnered",
        most=60,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Place in the family or household: neighbours see it.",
        names="relp relshipp relate relationship perrp sporder pernum pulineno rc sfn sfr oc paoc hht hht2 "
        "hupac partner "
        "psf famrel",
        words="householdtype familytype familystatus livesalone",
        most=60,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Children and size of the household: neighbours see it.",
        names="np nop noc nrc fer gcl gcm gcr nchild famsize numprec hrnumhou dmdhhsiz dmdfmsiz npf hhsize parents",
        words="children child childs kids householdsize familysize dependents dependants siblings numchildren parity",
        most=60,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Schooling: colleagues know it, and many profiles tell it.",
        names="schl sch schg educ educa peeduca ahga hga dmdeduc2 dmdeduc3 fod1p fod2p sciengp sciengrlp edu major "
        "studies schulabschluss educd",
        words="education educationnum educationlevel educationfield educational degree schooling school highschool "
        "graduate graduated qualification gradelevel fieldofstudy university college",
        most=1000,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Work: colleagues know it, and many profiles tell it.",
        names="occp occ indp ind cow socp naicsp esr wkl wrk empstat labforce classwkr peio1cow prdtocc1 "
        "prmjocc1 pemlr "
        "prempnot employ1 beruf workclass title occsoc wkw wkwn wkhp uhrswork uhrsworkt pehruslt hours wagetype "
        "esp fte position positionid jobid division team sector nwab nwav nwla nwlk nwre jobcategory",
        words="occupation job jobtitle jobrole joblevel profession employer employment employmentstatus "
        "employed working "
        "works industry department dept workplace worklocation jobfamily company agency hoursperweek workhours "
        "workinghours weeklyhours businesstravel costcenter costcentre businessunit jobcode jobinvolvement "
        "standardhours overtimehours parttime fulltime ocq ocd",
        most=5000,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Time in a job: colleagues and profiles know it.",
        words="yearsatcompany yearsincurrentrole yearssincelastpromotion yearswithcurrmanager "
        "totalworkingyears tenure "
        "seniority yearsofservice numcompaniesworked experience yearsexperience yearsofexperience",
        most=200,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Way to work: neighbours and colleagues see it.",
        names="jwmnp jwrip jwtrns jwtr jwap jwdp drivesp powpuma powsp powpuma10",
        words="commute commuting traveltime distancefromhome",
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Service in the armed forces: friends know it.",
        names="mil vps vetstat veteran3 peafever mlpa mlpb mlpcd mlpe mlpfg mlph mlpi mlpik mlpj dmqmiliz",
        words="veteran military militaryservice",
        most=60,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "The home, and whether it is owned: neighbours see it.",
        names="ten bld bdsp rmsp veh ybl yrblt ownershp renthom1",
        words="hoq hod housing homeownership homeowner dwellingtype rooms bedrooms vehicles cars",
        most=500,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Body height: everybody can see it.",
        names="height bmxht height3 htm4 htin4 bodyheight stature heightcm heightin heightm heightinches "
        "patientheight whd010",
        low=1.0e0,
        high=300,
        kind="body height",
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Body weight: others can guess it.",
        names="weight bmxwt weight2 wtkg3 bodyweight weightkg weightlb weightlbs patientweight whd020",
        low=0.3e0,
        high=40000,
        kind="body weight",
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "When somebody was treated, hired or seen: others may remember it.",
        names="idate dod admittime dischtime deathtime charttime intime outtime edregtime edouttime "
        "admityear admitmonth",
        words="admissiondate dischargedate admitted discharged visitdate hiredate startdate terminationdate enddate "
        "deathdate dateofdeath admission discharge dateofhire admitdate hired",
        kind="date",
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Where somebody works or was treated: visitors and colleagues know it.",
        names="unit site center centre practice firstcareunit lastcareunit careunit admissiontype admissionlocation "
        "dischargelocation caresite",
        words="ward hospital clinic facility hospitalid wardid siteid clinicid facilityid caresiteid "
        "medicalspecialty "
        "specialty admissiontype admissionsource dischargedisposition admittype admitsource admissiontypeid "
        "admissionsourceid dischargedispositionid",
        most=20000,
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Who treats, teaches or leads somebody: others know it.",
        names="npi",
        words="provider doctor physician teacher manager supervisor nurse surgeon providerid doctorid physicianid "
        "managerid teacherid supervisorid attending departmentid deptid schoolid employerid branchid teamid "
        "companyid",
    ),
    Meaning(
        QUASI_IDENTIFIER,
        "Form of address: it tells sex and more.",
        names="prefix salutation honorific suffix anrede",
        most=60,
    ),
)
