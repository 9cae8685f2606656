"""Names of sensitive columns: what people keep to themselves."""

from __future__ import annotations

from .meaning import SENSITIVE, Meaning

SENSITIVE_ATTRIBUTES = (
    Meaning(
        SENSITIVE,
        "Diagnosis or illness: health is nobody else's business.",
        names="dx diabete3 diabete4 cvdinfr4 cvdcrhd4 cvdstrk3 asthma3 chcscncr chcocncr addepev2 addepev3 chckdny1 "
        "havarth3 havarth4 diq010 mcq160a drg drgcode icdversion stage cancerstage tumorstage longtitle shorttitle "
        "krankheit diagnose diagnostic primarydx admittingdx ccs",
        words="disease diseases diagnosis diagnoses diag diagcode condition conditions illness illnesses icd icdcode "
        "icdnine icdten dx dxcode symptom symptoms syndrome comorbidity comorbidities hiv aids cancer tumor tumour "
        "diabetes diabetic hypertension asthma stroke depression disorder allergy allergies infection infected "
        "bpq diq mcq kiq heq hepq cdq rdq agq osq drg mdc covid staging histology charlson chiefcomplaint "
        "complaint injury snomed phecode pathology morphology "
        "heartdisease causeofdeath",
    ),
    Meaning(
        SENSITIVE,
        "Disability: health is nobody else's business.",
        names="dis ddrs dear deye dout dphy drem drat dratx diffrem diffphys diffmob diffcare diffsens "
        "diffeye diffhear "
        "prdisflg pedisear pediseye pedisrem pedisphy pedisdrs pedisout deaf blind decide diffwalk diffdres "
        "diffalon behinderung",
        words="dlq pfq disability disabilities disabled disabilitystatus handicap handicapped impairment",
        most=30,
    ),
    Meaning(
        SENSITIVE,
        "Treatment or medication: it tells of an illness.",
        names="ndc gsn atc rx formularydrugcd prodstrength a1cresult cpt hcpcs",
        words="medication medications drug drugs treatment treatments therapy therapies procedure procedures "
        "prescription dose dosage surgery operation ndccode rxnorm atccode insulin chemotherapy vaccination "
        "vaccine cptcode hcpcscode regimen metformin glipizide glyburide opioid rxq rxd rxddrug rxdcount",
    ),
    Meaning(
        SENSITIVE,
        "Lab value or test result: it tells of health.",
        names="result results value valuenum valueasnumber labvalue lbxglu lbxgh lbxtc lbxin lbxtr lbxscr "
        "lbxhgb lbxhct lbxwbcsi lbxrbcsi lbxpltsi lbxbpb lbxbcd lbxthg lbxcot lbxhscrp lbdhdd lbdldl lbxsgl lbxsch "
        "lbxsal lbxsua urxuma urxucr urdact chol fbs restecg measurementconceptid measurementsourcevalue "
        "valueasconceptid wbc rbc hdl ldl bun "
        "alt ast tsh "
        "psa crp inr egfr",
        words="lab labs labtest labvalue labresult labresults testresult testresults glucose hba hbac hemoglobin "
        "haemoglobin creatinine cholesterol triglycerides platelets platelet bilirubin albumin sodium potassium "
        "hematocrit leukocytes lactate troponin biomarker viralload cdfour bloodtype bloodgroup glu gluserum "
        "maxgluserum",
    ),
    Meaning(
        SENSITIVE,
        "Vital sign or body measure: it tells of health.",
        names="bmi bmxbmi bmi5 bmi5cat bpxsy bpxdi bpxpls bpxosy bpxodi bpxopls trestbps thalach "
        "exang oldpeak skinthickness sbp dbp bmxwaist spo2 pulse hr temp",
        words="bmi bodymassindex bloodpressure systolic diastolic heartrate pulserate respiratoryrate "
        "oxygensaturation "
        "bodytemperature waist cholesterollevel birthweight apgar",
    ),
    Meaning(
        SENSITIVE,
        "State of health: nobody else's business.",
        names="genhlth physhlth menthlth poorhlth hsd010 huq010 ridexprg phq9 gad7 sf36 health hlthpln1",
        words="dpq huq hsq hsd rhq slq ohq auq paq cbd whq health healthstatus generalhealth mentalhealth "
        "physicalhealth pregnant pregnancy wellbeing "
        "lifeexpectancy "
        "sickdays sickleave absence absences absenteeism disabilitydays painlevel pain",
    ),
    Meaning(
        SENSITIVE,
        "Smoking, drinking or drugs: people may hide it.",
        names="smoke100 smokday2 drnkany5 drnkany6 alcday5 smq020 alq101 smoker3 rfbing5",
        words="smq alq duq smoker smoking smokingstatus smokes tobacco alcohol drinking drinker substanceuse "
        "druguse cannabis",
    ),
    Meaning(
        SENSITIVE,
        "What became of a patient: it tells of health.",
        names="los hospitalexpireflag readmitted vitalstatus dead alive",
        words="outcome mortality death died deceased survival survived survivaltime readmission readmitted "
        "lengthofstay "
        "relapse recurrence prognosis lenofstay timeinhospital severity riskofmortality",
    ),
    Meaning(
        SENSITIVE,
        "Genes: they tell of health and of relatives.",
        words="genotype genome gene genes snp allele mutation haplotype dna karyotype",
    ),
    Meaning(
        SENSITIVE,
        "Health insurance and benefits: they tell of health or need.",
        names="hicov privcov pubcov hins1 hins2 hins3 hins4 hins5 hins6 hins7 fs pap ssip ssp hcovany "
        "hcovpriv hcovpub "
        "insurance payercode payer",
        words="hiq fsd fsdhh coverage healthinsurance insurancetype insurancestatus medicaid medicare foodstamps "
        "welfare snap benefits "
        "socialbenefits unemploymentbenefit ssi",
    ),
    Meaning(
        SENSITIVE,
        "Pay or income: few people tell it.",
        names="pincp wagp pernp semp intp retp oip povpip hincp fincp inctot incwage ftotinc hhincome "
        "ptotval wsalval "
        "hefaminc pternwa prernwa earnweek hourwage income2 income3 incomg indfmpir indfmmpi indfmmpc indfmin2 "
        "indhhin2 pternhly "
        "rincome gehalt "
        "einkommen lohn salaire salario faminc salaryclass incomeclass poverty adjustedgrossincome agi",
        words="inq salary salaries income incomes wage wages pay paid earnings earning basepay basesalary "
        "grosspay netpay "
        "totalpay overtimepay otherpay hourlyrate dailyrate monthlyrate payrate bonus bonuses compensation "
        "commission stipend pension allowance paygrade payscale salarygrade payband stockoptionlevel stockoptions "
        "remuneration totalpaybenefits percentsalaryhike monthlyincome overtime severance",
    ),
    Meaning(
        SENSITIVE,
        "Money that somebody has, owes, pays or spends: few people tell it.",
        names="capitalgain capitalloss valp rntp grntp smocp mrgp taxamt finance finances",
        words="debt debts balance loan loans mortgage credit creditlimit creditscore assets wealth networth savings "
        "capitalgain capitalgains capitalloss capitallosses tax taxes deduction deductions garnishment withholding "
        "amount spending spend purchase purchases payment payments charge charges totalcharges rent default "
        "cost costs bankruptcy insurancepremium premium expenditure expenses",
    ),
    Meaning(
        SENSITIVE,
        "Belief or opinion: the law protects it.",
        names="relig partyid polviews peernlab vote konfession",
        words="religion religious faith belief politics political party partyaffiliation voted union unionmember "
        "unionmembership tradeunion ideology",
    ),
    Meaning(
        SENSITIVE,
        "Sexual life: the law protects it.",
        names="sxorient somale sofemale trnsgndr",
        words="sxq orientation sexualorientation transgender genderidentity sexualpartners sti std contraceptive "
        "contraception",
    ),
    Meaning(
        SENSITIVE,
        "Offences: the law protects it.",
        words="conviction convictions offence offense offences offenses crime crimes criminal criminalrecord arrest "
        "arrests sentence felony prison recidivism disciplinary warning warnings",
    ),
    Meaning(
        SENSITIVE,
        "Marks or ratings: people judge others by them.",
        words="grade grades gpa score scores marks rating ratings performance performancerating performancescore "
        "reviewscore evaluation jobsatisfaction environmentsatisfaction relationshipsatisfaction worklifebalance "
        "satisfaction attrition examscore testscore promoted termreason terminationreason reasonforleaving "
        "engagementsurvey dayslate",
    ),
)
